print("authlab")
