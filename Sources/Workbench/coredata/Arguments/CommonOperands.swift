extension CommandOperand {
    static let model = CommandOperand(name: "MODEL", help: "A .momd, .mom, .xcdatamodeld or .xcdatamodel.")
    static let modelOrStore = CommandOperand(
        name: "MODEL|STORE", help: CommandOperand.model.help + " Or a store, of which the model that it keeps is taken."
    )
    static let store = CommandOperand(name: "STORE", help: "The path of the store, or its postgresql:// URL.")
    /// For commands that work on files alone.
    static let storeFile = CommandOperand(name: "STORE", help: "The path of the store.")

    static let object = CommandOperand(
        name: "OBJECT-URI", help: "The object's address: x-coredata://STORE-UUID/Entity/p1, or Entity/p1 in short.")

    static let objectOrEntity = CommandOperand(
        name: "OBJECT-URI|ENTITY",
        help: "The object's address, or the name of an entity with --where or --all for several of its objects.")
}
