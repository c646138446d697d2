"""Cases of tables.py: how files are laid out."""

CASES = [
    {"name": "header over numbers",
     "file": "a,b,y\n1,5,0.5\n2,3,1.5\n3,8,2.5\n4,1,3.5\n",
     "options": "--target y",
     "columns": "a:number b:number y:number:target",
     "rows": 4},
]
