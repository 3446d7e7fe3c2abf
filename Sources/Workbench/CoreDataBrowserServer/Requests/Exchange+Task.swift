import CoreDataBrowser
import HTTPServerKit
import Synchronization

extension Exchange {
    /// Starts the task that answers. To be called with the state locked.
    func start(_ state: inout State, _ head: RequestHead) {
        let body =
            head.hasBody
            ? BrowserBody(count: head.bodyCount, leastCount: head.leastBodyCount) { [self] in try await nextPiece() }
            : .empty
        let request = target.map { target in
            var request = BrowserRequest(method: head.method, target: target, headers: head.headers, body: body)
            request.takeAbsoluteTarget()
            return request
        }
        tasks.begin()
        state.task = Task { [self] in
            defer { tasks.end() }
            let isHead = head.method == "HEAD"
            guard let request else { return await send(Self.badTarget, isHead) }
            await send(await browser.respond(to: request), isHead)
        }
    }

    private static var badTarget: BrowserResponse {
        BrowserFailure(400, code: "badRequest", reason: "the address is not UTF-8").response
    }

    /// Passes an answer to the daemon, and its body piece by piece.
    private func send(_ response: BrowserResponse, _ isHead: Bool) async {
        guard !isHead, response.body.count != 0 else { return answer(response) }
        do {
            // If the body is in memory, its first piece is sent together with the header fields.
            if response.body.count != nil {
                let first = try await response.body.next() ?? []
                state.withLock { $0.response.piece = first[...] }
            }
        } catch {
            // A cancelled task cannot read the body of any answer.
            guard !Task.isCancelled else { return }
            return await send(BrowserFailure(error).response, isHead)
        }
        answer(response)
        do {
            await room()
            try await sendRest(of: response.body)
        } catch {
            state.withLock { state in
                state.response.hasFailed = true
                resume(&state)
            }
        }
    }

    private func answer(_ response: BrowserResponse) {
        state.withLock { state in
            state.answer = response
            // The daemon sends the answer after it has received the rest of the request's body, which the page did not
            // read.
            if state.head?.hasBody == true, state.request.hasBegun, !state.request.isComplete {
                places.set(connection, .waitingForBody)
            }
            resume(&state)
        }
    }

    private func sendRest(of body: BrowserBody) async throws {
        while let piece = try await body.next() {
            guard !piece.isEmpty else { continue }
            state.withLock { state in
                state.response.piece = piece[...]
                resume(&state)
            }
            await room()
        }
        state.withLock { state in
            state.response.isComplete = true
            resume(&state)
        }
    }

    /// Waits until the last piece has been sent.
    private func room() async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                guard !state.isOver, !state.response.piece.isEmpty else { return true }
                state.response.writer = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    /// The next piece of the request's body, for which it waits; nil at the end.
    private func nextPiece() async throws -> [UInt8]? {
        try await withCheckedThrowingContinuation { continuation in
            let ready: Result<[UInt8]?, any Error>? = state.withLock { state in
                guard !state.isOver else { return .failure(CancellationError()) }
                defer { resume(&state) }
                if let piece = state.request.piece.take() { return .success(piece) }
                if state.request.isComplete { return .success(nil) }
                state.request.reader = continuation
                places.set(connection, .waitingForBody)
                return nil
            }
            if let ready { continuation.resume(with: ready) }
        }
    }
}
