import CMicroHTTPD
import CoreDataBrowser
import HTTPServerKit
import Synchronization

/// The methods that the daemon's thread calls.
extension Exchange {
    /// The greatest number of bytes of a request's body that are read and discarded after the page has answered.
    private static let greatestWaste = 16 << 20

    /// Receives the next part of a request: its header fields, then pieces of its body, then its end.
    ///
    /// - Parameter rest: The number of bytes that the daemon has to pass again.
    func receive(_ line: RequestLine, _ bytes: UnsafeRawBufferPointer, rest: inout Int) -> MHD_Result {
        var waiting: (CheckedContinuation<[UInt8]?, any Error>, [UInt8]?)?
        let result: MHD_Result = state.withLock { state in
            guard !state.isOver else { return .NO }
            guard state.task != nil else {
                var head = RequestHead(method: line.methodName, version: line.version, headers: headers())
                // A request that other programs may interpret differently is refused at once, and the connection
                // closed.
                let size = cmicrohttpd_head_size(connection.pointer)
                if let flaw = head.flaw(size: size, targetSize: targetSize) {
                    let answer = flaw.response
                    // No task sends the body of this answer.
                    state.response.piece = answer.body.readyBytes.map { $0[...] } ?? []
                    state.response.isComplete = true
                    return queue(answer, head)
                }
                // The daemon closes a connection whose request is answered before its end, so a request without a body
                // is received completely first.
                guard head.hasBody || state.request.hasBegun else {
                    state.request.hasBegun = true
                    return .YES
                }
                if head.bodyCount == nil, head.hasBody {
                    head.firstChunk = line.firstChunk(behind: size, limit: places.limits.connectionBytes / 4)
                }
                places.set(connection, .busy)
                state.head = head
                start(&state, head)
                suspend(&state)
                return .YES
            }
            if !bytes.isEmpty { return receive(bytes, state: &state, rest: &rest, waiting: &waiting) }
            if let answer = state.answer {
                places.set(connection, .busy)
                return queue(answer, state.head)
            }
            guard state.request.hasBegun else {
                // The page requested the body: the daemon continues with it.
                state.request.hasBegun = true
                return .YES
            }
            state.request.isComplete = true
            places.set(connection, .busy)
            waiting = state.request.reader.take().map { ($0, nil) }
            suspend(&state)
            return .YES
        }
        if let (reader, piece) = waiting { reader.resume(returning: piece) }
        return result
    }

    private func receive(
        _ bytes: UnsafeRawBufferPointer, state: inout State, rest: inout Int,
        waiting: inout (CheckedContinuation<[UInt8]?, any Error>, [UInt8]?)?
    ) -> MHD_Result {
        state.request.hasBegun = true
        guard state.answer == nil else {
            places.set(connection, .waitingForBody)
            state.request.discarded += bytes.count
            rest = 0
            return state.request.discarded <= Self.greatestWaste ? .YES : .NO
        }
        guard state.request.piece == nil else {
            suspend(&state)
            return .YES
        }
        rest = 0
        if let reader = state.request.reader.take() {
            places.set(connection, .busy)
            waiting = (reader, Array(bytes))
        } else {
            state.request.piece = Array(bytes)
        }
        return .YES
    }

    /// Copies the next bytes of the answer's body.
    ///
    /// - Returns: The number of bytes; 0 after suspending the connection; or a code of the daemon for the end or an
    ///   error.
    func provide(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        var writer: CheckedContinuation<Void, Never>?
        let count: Int = state.withLock { state in
            guard !state.isOver else { return -2 }
            guard state.response.piece.isEmpty else {
                let part = state.response.piece.prefix(buffer.count)
                buffer.copyBytes(from: part)
                state.response.piece = state.response.piece.dropFirst(part.count)
                guard state.response.piece.isEmpty else { return part.count }
                state.response.piece = []
                writer = state.response.writer.take()
                return part.count
            }
            // MHD_CONTENT_READER_END_WITH_ERROR closes the connection, so that the client does not mistake a partial
            // answer for a complete one.
            if state.response.hasFailed { return -2 }
            if state.response.isComplete { return -1 }
            suspend(&state)
            return 0
        }
        writer?.resume()
        return count
    }

    private func queue(_ answer: BrowserResponse, _ head: RequestHead?) -> MHD_Result {
        let count = answer.body.count
        let response: OpaquePointer?
        if count == 0 {
            response = MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        } else {
            let this = Unmanaged.passRetained(self).toOpaque()
            response = MHD_create_response_from_callback(
                // `UInt64.max` stands for an unknown size.
                count.map { UInt64($0) } ?? .max, 1 << 15, ExchangeCallbacks.provide, this, ExchangeCallbacks.release)
            if response == nil { Unmanaged<Exchange>.fromOpaque(this).release() }
        }
        guard let response else { return .NO }
        // For an answer to HEAD of unknown length, libmicrohttpd 0.9.75 sends a last chunk, which the client would read
        // as the beginning of the next answer. The connection is closed after this answer instead.
        if head?.method == "HEAD", count == nil {
            cmicrohttpd_close_after(response)
        }
        defer { MHD_destroy_response(response) }
        for (name, value) in answer.headers.fields
        where !["content-length", "transfer-encoding", "connection"].contains(name.lowercased()) {
            MHD_add_response_header(response, name, value)
        }
        let status = (200...599).contains(answer.status) ? answer.status : 500
        return MHD_queue_response(connection.pointer, UInt32(status), response)
    }

    private func headers() -> BrowserHeaders {
        var headers = BrowserHeaders()
        withUnsafeMutablePointer(to: &headers) { pointer in
            _ = cmicrohttpd_headers(connection.pointer, ExchangeCallbacks.header, pointer)
        }
        return headers
    }
}

/// The functions that the daemon calls while it sends an answer or passes the header fields of a request.
private enum ExchangeCallbacks {
    /// Copies the next bytes of an answer.
    nonisolated static let provide: MHD_ContentReaderCallback = { exchange, _, buffer, size in
        guard let exchange, let buffer else { return -2 }
        return Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue()
            .provide(UnsafeMutableRawBufferPointer(start: buffer, count: size))
    }

    /// Releases the exchange that provided an answer's bytes.
    nonisolated static let release: MHD_ContentReaderFreeCallback = { exchange in
        guard let exchange else { return }
        Unmanaged<Exchange>.fromOpaque(exchange).release()
    }

    /// Adds one header field of a request.
    nonisolated static let header: MHD_KeyValueIteratorN = { headers, _, name, nameSize, value, valueSize in
        guard let headers, let name else { return .YES }
        let text = { (bytes: UnsafePointer<CChar>?, count: Int) in
            String(decoding: UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count), as: UTF8.self)
        }
        headers.assumingMemoryBound(to: BrowserHeaders.self).pointee.add(text(name, nameSize), text(value, valueSize))
        return .YES
    }
}
