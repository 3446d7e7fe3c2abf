import CoreData

/// What the first 64 KiB of a file say of its content.
extension ImportFile {
    /// The beginning as text, without the comments of XML.
    func beginning() throws -> String {
        var bytes: [UInt8] = []
        let blocks = try blocks()
        while bytes.count < 1 << 16, try blocks.append(to: &bytes) {}
        return String(decoding: bytes.prefix(1 << 16), as: UTF8.self).replacing(/<!--[\s\S]*?-->/, with: "")
    }

    /// The qualified name of the root element of XML; nil where no element begins.
    static func rootElement(ofBeginning text: String) -> Substring? {
        text.firstMatch(of: /<(?![!?])([^\s<>\/]+)/)?.output.1
    }
}
