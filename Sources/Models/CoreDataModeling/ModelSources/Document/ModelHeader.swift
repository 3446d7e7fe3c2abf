/// The header of a model's source: the attributes of `<model>` for tools, language and version.
package struct ModelHeader: Sendable {
    /// The names of the known attributes of `<model>`.
    package static let names = [
        "name", "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
        "sourceLanguage", "usedWithCloudKit", "usedWithSwiftData", "userDefinedModelVersionIdentifier",
        "macOSVersion", "iOSVersion",
    ]

    /// The known attributes of the document, in their order.
    package var attributes: [ModelAttribute]

    /// The header of a document.
    package init(_ document: ModelDocument) {
        attributes = document.root.attributes.filter { Self.names.contains($0.name) }
    }

    private init(attributes: [ModelAttribute]) { self.attributes = attributes }

    /// The header that a recent Xcode writes.
    package static let present = ModelHeader(attributes: [
        ModelAttribute("type", "com.apple.IDECoreDataModeler.DataModel"), ModelAttribute("documentVersion", "1.0"),
        ModelAttribute("lastSavedToolsVersion", "24299"), ModelAttribute("systemVersion", "25A362"),
        ModelAttribute("minimumToolsVersion", "Automatic"), ModelAttribute("sourceLanguage", "Swift"),
        ModelAttribute("userDefinedModelVersionIdentifier", ""),
    ])
}
