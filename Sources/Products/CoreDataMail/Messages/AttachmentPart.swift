import CGMime
import CoreDataGraph

/// An attachment as a part of a message.
enum AttachmentPart {
    /// More than this of data in memory is kept in a file, so that it is not in memory twice.
    private static let largestInMemory = 256 * 1024

    static func make(_ attachment: MailAttachment) throws -> MessagePart {
        let (type, subtype) = mediaType(attachment.mimeType)
        let pointer: OpaquePointer?
        switch attachment.content {
        case .data(let data) where data.count <= largestInMemory:
            pointer = data.withUnsafeBytes {
                cgmime_part_with_bytes(type, subtype, $0.baseAddress, $0.count, cgmime_base64)
            }
        case .data(let data):
            pointer = cgmime_part_with_file(type, subtype, try temporary(data), cgmime_base64)
        case .file(let url):
            let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw MessageScan.unusable(url, POSIXError(.init(rawValue: errno) ?? .EIO)) }
            pointer = cgmime_part_with_file(type, subtype, descriptor, cgmime_base64)
        }
        let part = try MessagePart(pointer)
        cgmime_part_set_disposition(
            part.pointer, attachment.contentID == nil ? "attachment" : "inline", attachment.fileName)
        if let identifier = attachment.contentID { cgmime_part_set_content_id(part.pointer, identifier) }
        return part
    }

    /// Messages and parts in parts must not be encoded as attachments are (RFC 2046, 5.2.1): they go as files of bytes, whose name says
    /// what they are.
    private static func mediaType(_ text: String) -> (String, String) {
        let parts = text.lowercased().split(separator: "/").map(String.init)
        guard parts.count == 2, parts[0] != "message", parts[0] != "multipart" else {
            return ("application", "octet-stream")
        }
        return (parts[0], parts[1])
    }

    /// A file without a name that has the data, at its start.
    private static func temporary(_ data: Data) throws -> Int32 {
        let folder = FileManager.default.temporaryDirectory
        var template = Array((folder.path + "/mail-XXXXXX").utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw MailMessage.failure(folder, errno) }
        let path = template.withUnsafeBufferPointer { buffer in buffer.baseAddress.map { String(cString: $0) } ?? "" }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        do {
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            try handle.write(contentsOf: data)
            try handle.seek(toOffset: 0)
            return descriptor
        } catch {
            close(descriptor)
            throw MailMessage.failure(folder, errno)
        }
    }
}
