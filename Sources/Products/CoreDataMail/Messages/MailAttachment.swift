import CoreDataGraph
import UniformTypeIdentifiers

/// A file in a message.
public struct MailAttachment: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case data(Data)
        case file(URL)
    }

    /// The name that the reader sees; without a path.
    public let fileName: String
    /// The media type, without parameters.
    public let mimeType: String
    /// For pictures in HTML: `cid:` and this text is their address. Nil for an ordinary attachment.
    public let contentID: String?
    let content: Content

    /// An attachment in memory.
    ///
    /// - Parameters:
    ///   - data: Of any size; more than 256 KiB are kept in a temporary file while the message is written.
    ///   - mimeType: `image/png`; nil recognizes it by the first bytes and the name.
    ///   - fileName: The name for the reader; of a path the last part is taken.
    ///   - contentID: For pictures in HTML.
    public init(data: Data, mimeType: String? = nil, fileName: String, contentID: String? = nil) {
        let name = Self.lastPart(fileName)
        let type = UTType(recognizing: data, filenameExtension: (name as NSString).pathExtension)
        self.init(name, mimeType ?? type?.preferredMIMEType, contentID, .data(data))
    }

    /// A file, which is read when the message is written, and never as a whole.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - mimeType: Nil recognizes it by the first bytes and the name.
    ///   - fileName: The name for the reader; nil for that of the file.
    ///   - contentID: For pictures in HTML.
    /// - Throws: Foundation's error if the file cannot be opened.
    public init(contentsOf file: URL, mimeType: String? = nil, fileName: String? = nil, contentID: String? = nil) throws
    {
        let type = try UTType(recognizing: file)
        self.init(
            Self.lastPart(fileName ?? file.lastPathComponent), mimeType ?? type?.preferredMIMEType, contentID,
            .file(file))
    }

    private init(_ fileName: String, _ mimeType: String?, _ contentID: String?, _ content: Content) {
        self.fileName = fileName
        self.mimeType = mimeType ?? "application/octet-stream"
        (self.contentID, self.content) = (contentID, content)
    }

    private static func lastPart(_ path: String) -> String {
        String(path.split { $0 == "/" || $0 == "\\" }.last ?? "")
    }

    /// The size of the content in bytes; nil if it cannot be read.
    public var size: Int64? {
        switch content {
        case .data(let data): Int64(data.count)
        case .file(let url):
            (try? FileManager.default.attributesOfItem(atPath: url.path))?[.size].flatMap {
                ($0 as? NSNumber)?.int64Value
            }
        }
    }

    /// - Throws: ``MailError`` with `invalidMessage`.
    func check() throws {
        guard !fileName.isEmpty, fileName.utf8.count <= 255 else {
            throw MailError(
                .invalidMessage, "the name of an attachment is empty, or longer than 255 bytes",
                hint: "name it as a file")
        }
        try FieldText.check(fileName, of: "the name of an attachment")
        let parts = mimeType.split(separator: "/", omittingEmptySubsequences: false)
        let isToken = { (text: Substring) in
            !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "!#$&-^_.+".contains($0)) }
        }
        guard parts.count == 2, parts.allSatisfy(isToken), mimeType.utf8.count <= 127 else {
            throw MailError(
                .invalidMessage, "'\(FieldText.shown(mimeType))' is no media type", hint: "write one such as image/png")
        }
        guard let contentID else { return }
        guard !contentID.isEmpty, contentID.utf8.count <= 200,
            contentID.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") })
        else {
            throw MailError(
                .invalidMessage, "the content identifier of '\(FieldText.shown(fileName))' is not valid",
                hint: "write letters and digits")
        }
    }
}
