print("homeboard")
