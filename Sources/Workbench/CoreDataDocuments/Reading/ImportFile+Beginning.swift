import CoreData

/// What the first 64 KiB of a file say of its content.
extension ImportFile {
    /// The format that name or server say, else the one that the first character indicates: JSON begins with a brace or
    /// a bracket, XML with `<`.
    ///
    /// - Throws: `InspectionError` for a file that cannot be read.
    package func likelyFormat() throws -> ImportFormat {
        if let known = try? format() { return known }
        switch try beginning().first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) {
        case "{", "[": return .json
        case "<": return .xml
        default: return .csv
        }
    }

    /// The beginning as text, without the comments of XML.
    package func beginning() throws -> String {
        var bytes: [UInt8] = []
        let blocks = try blocks()
        while bytes.count < 1 << 16, try blocks.append(to: &bytes) {}
        return String(decoding: bytes.prefix(1 << 16), as: UTF8.self).replacing(/<!--[\s\S]*?-->/, with: "")
    }

    /// The qualified name of the root element of XML; nil where no element begins.
    package static func rootElement(ofBeginning text: String) -> Substring? {
        text.firstMatch(of: /<(?![!?])([^\s<>\/]+)/)?.output.1
    }
}
