extension UTType {
    /// Declares a type of the program's own at run time: what a property list does on Apple's systems.
    ///
    /// A second declaration of an identifier adds tags to the first. A tag that another type has already stays that one's: the new type
    /// comes behind it in ``types(tag:tagClass:conformingTo:)``.
    ///
    /// - Parameters:
    ///   - identifier: In reversed domain order, such as `com.example.sketch`.
    ///   - supertypes: What it conforms to.
    ///   - filenameExtensions: Without dots, the preferred one first.
    ///   - mimeTypes: Media types without parameters, the preferred one first.
    ///   - description: What people call it.
    /// - Returns: The type.
    @discardableResult
    public static func declare(
        _ identifier: String, conformingTo supertypes: [UTType] = [.data], filenameExtensions: [String] = [],
        mimeTypes: [String] = [], description: String? = nil
    ) -> UTType {
        TypeTable.shared.declare(
            TypeDeclaration(
                identifier: identifier, parents: supertypes.map(\.identifier), extensions: filenameExtensions,
                mimeTypes: mimeTypes, title: description))
        return UTType(known: TypeTable.shared.declaration(identifier)?.identifier ?? identifier)
    }

    /// All declared types, by their identifiers in order.
    public static var declaredTypes: [UTType] { TypeTable.shared.all.map { UTType(known: $0) } }
}
