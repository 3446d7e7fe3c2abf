extension UTType {
    /// The type of files with an extension.
    ///
    /// - Parameters:
    ///   - filenameExtension: Without the dot, in any case of letters.
    ///   - supertype: What the type must conform to: `txt` that must be a picture gives a dynamic type.
    /// - Returns: The declared type; a dynamic one for an extension that none has; nil for an empty extension, or one with a slash.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
    }

    /// The type that a protocol calls by a media type.
    ///
    /// - Parameters:
    ///   - mimeType: `image/jpeg`, in any case of letters; parameters are left out.
    ///   - supertype: What the type must conform to.
    /// - Returns: The declared type; a dynamic one for a media type that none has; nil for a text that is no media type.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype)
    }

    /// The type that has a tag.
    ///
    /// - Parameters:
    ///   - tag: An extension or a media type.
    ///   - tagClass: Which of the two.
    ///   - supertype: What the type must conform to; nil for any.
    /// - Returns: Nil for a tag that its class does not allow.
    public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
        guard let first = Self.types(tag: tag, tagClass: tagClass, conformingTo: supertype).first else { return nil }
        self = first
    }

    /// The types that have a tag, the one that prefers it first; where none is declared, one dynamic type.
    public static func types(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) -> [UTType] {
        let key = tagClass.key(of: tag)
        guard isWritten(key, as: tagClass) else { return [] }
        let declared = TypeTable.shared.identifiers(tag: key, tagClass: tagClass).map { UTType(known: $0) }
        let fitting = declared.filter { type in supertype.map { type.conforms(to: $0) } ?? true }
        guard fitting.isEmpty else { return fitting }
        let parent = supertype ?? .data
        guard let dynamic = DynamicIdentifier(tag: key, tagClass: tagClass, parent: parent.identifier) else {
            return []
        }
        return [UTType(known: dynamic.identifier)]
    }

    private static func isWritten(_ key: String, as tagClass: UTTagClass) -> Bool {
        guard !key.isEmpty, key.utf8.count <= 127,
            key.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { return false }
        switch tagClass {
        case .filenameExtension: return !key.contains("/")
        case .mimeType:
            let parts = key.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
        default: return true
        }
    }
}
