import CMicroHTTPD
import CoreDataBrowser
import Synchronization

/// What the daemon's thread calls.
extension Exchange {
    /// Bytes of a body that are taken, and thrown away, after the page has answered.
    private static let greatestWaste = 16 << 20

    /// Takes the next part of a request: its header fields, then pieces of its body, then its end.
    ///
    /// - Parameter rest: the bytes that are left when this returns.
    func receive(_ line: RequestLine, _ bytes: UnsafeRawBufferPointer, rest: inout Int) -> MHD_Result {
        var waiting: (CheckedContinuation<[UInt8]?, any Error>, [UInt8]?)?
        let result: MHD_Result = state.withLock { state in
            guard !state.isOver else { return .NO }
            guard state.task != nil else {
                var head = RequestHead(method: line.methodName, version: line.version, headers: headers())
                // What may mean one thing here and another elsewhere is answered at once, and the connection closed.
                let size = cmicrohttpd_head_size(connection.pointer)
                if let flaw = head.flaw(size: size, targetSize: targetSize) {
                    let answer = flaw.response
                    // There is no task that hands over the body.
                    state.response.piece = answer.body.readyBytes.map { $0[...] } ?? []
                    state.response.isComplete = true
                    return queue(answer, head)
                }
                // A connection whose request is answered before its end is closed afterwards.
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
    /// - Returns: their number, 0 after which the daemon waits, or one of the daemon's signs for the end.
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
            // MHD_CONTENT_READER_END_WITH_ERROR closes the connection, so that the client does not mistake a partial answer for a
            // complete one.
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
                // All bits set stand for a size that is not known.
                count.map { UInt64($0) } ?? .max, 1 << 15, ExchangeCallbacks.provide, this, ExchangeCallbacks.release)
            if response == nil { Unmanaged<Exchange>.fromOpaque(this).release() }
        }
        guard let response else { return .NO }
        // Of an answer to HEAD whose length is not known libmicrohttpd 0.9.75 sends a last chunk, which the client would take for
        // the beginning of the next answer. Without chunks it closes the connection instead.
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

    /// Releases the exchange that an answer's bytes came from.
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
