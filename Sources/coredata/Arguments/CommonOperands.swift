extension Operand {
    static let model = Operand(name: "MODEL", help: "A .momd, .mom, .xcdatamodeld or .xcdatamodel.")
    static let modelOrStore = Operand(
        name: "MODEL|STORE", help: Operand.model.help + " Or a store, of which the model that it keeps is taken.")
    static let store = Operand(name: "STORE", help: "The path of the store, or its postgresql:// URL.")

    static let object = Operand(
        name: "OBJECT-URI", help: "The object's address: x-coredata://STORE-UUID/Entity/p1, or Entity/p1 in short.")

    static let objectOrEntity = Operand(
        name: "OBJECT-URI|ENTITY",
        help: "The object's address, or the name of an entity with --where or --all for several of its objects.")
}
