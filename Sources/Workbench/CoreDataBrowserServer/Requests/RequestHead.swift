import CoreDataBrowser

/// The first line and the header fields of a request.
struct RequestHead: Sendable {
    let method: String
    let version: String
    let headers: BrowserHeaders
    /// The size of the first chunk of the body; 0 if it is not known.
    var firstChunk = 0

    /// The length of the body if the client states it.
    var bodyCount: Int? { headers["Content-Length"].flatMap { Int($0) } }

    /// A lower bound of the number of bytes of the body.
    var leastBodyCount: Int { bodyCount ?? firstChunk }

    var hasBody: Bool { bodyCount.map { $0 > 0 } ?? !headers.values(of: "Transfer-Encoding").isEmpty }

    /// Why the request is refused before it is processed: another program, such as a proxy, could see its end at
    /// another place, and take the rest for the next request. Source: RFC 9112, sections 2.2, 6.1 and 6.3.
    ///
    /// - Parameter size: The number of bytes from the first line to the empty one; 0 if it is not known.
    func flaw(size: Int, targetSize: Int) -> BrowserFailure? {
        let lengths = headers.values(of: "Content-Length")
        let codings = headers.values(of: "Transfer-Encoding")
        guard lengths.count <= 1 else {
            return BrowserFailure(400, code: "badRequest", reason: "the request has several fields Content-Length")
        }
        guard lengths.isEmpty || codings.isEmpty else {
            return BrowserFailure(
                400, code: "badRequest", reason: "the request has Content-Length beside Transfer-Encoding")
        }
        guard codings.isEmpty || codings.map({ $0.lowercased() }) == ["chunked"] else {
            return BrowserFailure(
                501, code: "unknownCoding",
                reason: "the request's body is in a Transfer-Encoding that is not known here",
                hint: "send it chunked, or with its Content-Length")
        }
        // A NUL ends the text of a line that libmicrohttpd passes on, so the bytes after it are missing in the fields
        // here.
        guard size <= greatestSize(targetSize) else {
            return BrowserFailure(
                400, code: "badRequest",
                reason: "the request's header fields hold bytes that are no text, or blanks without need",
                hint: "send one blank between a field's name and its value, and no lines that go on")
        }
        return nil
    }

    /// The number of bytes of the first line and the fields with one blank before each value.
    private func greatestSize(_ targetSize: Int) -> Int {
        let line = method.utf8.count + 1 + targetSize + 1 + version.utf8.count + 2
        return headers.fields.reduce(line + 2) { $0 + $1.name.utf8.count + 2 + $1.value.utf8.count + 2 }
    }
}
