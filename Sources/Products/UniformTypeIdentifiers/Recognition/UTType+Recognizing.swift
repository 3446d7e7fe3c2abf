import Foundation

extension UTType {
    /// How many of the first bytes are always enough for what is recognized by its first bytes alone.
    ///
    /// Sound and film in MPEG-4 and WebM are distinguished by the list of tracks, which may lie behind it: given only these bytes, film.
    public static let recognizedPrefixLength = 4_096

    /// The type of data by its first bytes, whatever a name says.
    ///
    /// Bounded: of a list of tracks no more than 1,000 boxes are looked at. Never traps on any bytes.
    ///
    /// - Parameter data: The data, or its first ``recognizedPrefixLength`` bytes.
    /// - Returns: Nil for bytes that no rule knows; text is recognized where it begins as HTML, XML, a card or a calendar does.
    public init?(recognizing data: Data) {
        guard let type = Signatures.type(of: data) else { return nil }
        self = type
    }

    /// The type of a file by its first bytes; where they say nothing, or less than the name does, by its name's extension.
    ///
    /// The name counts only where it names a kind of what the bytes say: `track.gpx` is XML by its bytes and GPX by its name, while
    /// `picture.png` that begins as a JPEG is a JPEG.
    ///
    /// - Throws: Foundation's error if the file cannot be opened.
    public init?(recognizing file: URL) throws {
        let found = Signatures.type(of: try FileByteSource(file))
        guard let type = Self.refined(found, by: file.pathExtension) else { return nil }
        self = type
    }

    /// The type of data whose name is known too; the rule is that for files.
    public init?(recognizing data: Data, filenameExtension: String) {
        guard let type = Self.refined(Signatures.type(of: data), by: filenameExtension) else { return nil }
        self = type
    }

    private static func refined(_ found: UTType?, by filenameExtension: String) -> UTType? {
        let named = UTType(filenameExtension: filenameExtension).flatMap { $0.isDynamic ? nil : $0 }
        guard let found else { return named }
        guard let named, named.isSubtype(of: found) || isPacked(named, in: found) else { return found }
        return named
    }

    /// Formats that are archives inside, although their types are no kinds of archives.
    private static func isPacked(_ named: UTType, in found: UTType) -> Bool {
        let inZip = [
            "org.openxmlformats.", "org.oasis-open.opendocument.", "org.idpf.epub", "com.google.earth.kmz",
            "com.pixar.",
        ]
        return found == .zip && inZip.contains { named.identifier.hasPrefix($0) }
    }
}
