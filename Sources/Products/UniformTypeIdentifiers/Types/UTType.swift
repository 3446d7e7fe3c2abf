import Foundation

/// A type of data by its identifier, with the names that files and protocols have for it: Apple's structure of the same name.
///
/// The types, their media types and their extensions are a table of this module, the same on every machine; nothing is read from the
/// system. Values may be used on any thread.
public struct UTType: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The identifier: `public.jpeg`.
    public let identifier: String

    /// Without a check whether the identifier is declared.
    init(known identifier: String) { self.identifier = identifier }

    /// A type that is declared, or a dynamic one whose identifier was written by this type or by Apple's.
    ///
    /// - Returns: Nil for an identifier that nothing declares.
    public init?(_ identifier: String) {
        guard let type = TypeTable.shared.declaration(identifier) else {
            guard DynamicIdentifier(identifier) != nil else { return nil }
            self.identifier = identifier
            return
        }
        self.identifier = type.identifier
    }

    /// A type that the program itself declares: known afterwards by its identifier, to which a declaration may add tags.
    ///
    /// On Apple's systems the declaration lies in the program's property list; here this initializer makes one without tags where there
    /// is none yet, and ``declare(_:conformingTo:filenameExtensions:mimeTypes:description:)`` makes one with tags.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self = TypeTable.shared.assure(identifier, conformingTo: parentType)
    }

    /// A type of another program that this one uses; as ``init(exportedAs:conformingTo:)``.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
        self = TypeTable.shared.assure(identifier, conformingTo: parentType)
    }

    /// The extension that a file of the type should have, without the dot; nil where the type has none.
    public var preferredFilenameExtension: String? { tags[.filenameExtension]?.first }

    /// The media type by which protocols should call the type; nil where it has none.
    public var preferredMIMEType: String? { tags[.mimeType]?.first }

    /// All tags of the type, the preferred one of each class first.
    public var tags: [UTTagClass: [String]] {
        if let declaration = TypeTable.shared.declaration(identifier) { return declaration.tags }
        return DynamicIdentifier(identifier)?.tags ?? [:]
    }

    /// What the type is called in English; nil for dynamic types and for declarations without a description.
    public var localizedDescription: String? { TypeTable.shared.declaration(identifier)?.title }

    /// Whether a declaration exists: of this module's table, or of the program.
    public var isDeclared: Bool { TypeTable.shared.declaration(identifier) != nil }

    /// Whether the identifier was made from a tag that no declared type has.
    public var isDynamic: Bool { identifier.hasPrefix(DynamicIdentifier.prefix) }

    /// Whether the identifier is one of the `public` domain.
    public var isPublic: Bool { identifier.lowercased().hasPrefix("public.") }

    /// The identifier.
    public var description: String { identifier }

    /// Two types are one if their identifiers are, in any case of letters.
    public static func == (left: UTType, right: UTType) -> Bool {
        left.identifier.lowercased() == right.identifier.lowercased()
    }

    /// Hashes the identifier in small letters.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier.lowercased()) }

    /// Reads an identifier, as Apple's structure writes it; an identifier that nothing declares is kept.
    public init(from decoder: any Decoder) throws {
        identifier = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the identifier.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(identifier)
    }
}
