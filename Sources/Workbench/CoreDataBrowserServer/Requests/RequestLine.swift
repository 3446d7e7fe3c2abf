import CMicroHTTPD
import HTTPServerKit

/// The first line of a request, in memory of the daemon that is valid only during a callback.
struct RequestLine {
    private let method: UnsafePointer<CChar>
    private let target: UnsafePointer<CChar>
    let version: String

    init?(
        method: UnsafePointer<CChar>?, target: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?
    ) {
        guard let method, let target, let version else { return nil }
        (self.method, self.target, self.version) = (method, target, String(cString: version))
    }

    var methodName: String { String(cString: method) }

    /// The size of the first chunk of a chunked body; 0 if it has not arrived together with the header fields.
    ///
    /// - Parameters:
    ///   - head: The number of bytes before the body.
    ///   - limit: The greatest `head` for which the size is looked up; it must be less than the memory of the
    ///     connection.
    func firstChunk(behind head: Int, limit: Int) -> Int {
        Int(clamping: cmicrohttpd_first_chunk(method, target, head, limit))
    }
}
