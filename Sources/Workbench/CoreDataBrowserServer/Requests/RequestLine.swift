import CMicroHTTPD

/// The first line of a request as the daemon has it while it calls.
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

    /// The size of the first chunk of a body that comes in chunks, where it is known already; else 0.
    ///
    /// - Parameters:
    ///   - head: the bytes before the body.
    ///   - limit: the bytes before a body of which the connection's memory holds more.
    func firstChunk(behind head: Int, limit: Int) -> Int {
        Int(clamping: cmicrohttpd_first_chunk(method, target, head, limit))
    }
}
