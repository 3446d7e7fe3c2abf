import CMicroHTTPD
import CoreDataSyncHub
import HTTPServerKit
import Synchronization

/// What the daemon's thread calls.
extension HubExchange {
    /// The greatest number of bytes of a refused request's body that are read, so that the client sees the answer.
    private static let greatestWaste = 1 << 20

    /// Receives the next part of a request: its header fields, then pieces of its body, then its end.
    ///
    /// - Parameter rest: The number of bytes that the daemon has to pass again.
    func receive(_ method: String, _ bytes: UnsafeRawBufferPointer, rest: inout Int) -> MHD_Result {
        let count = bytes.count
        let result: MHD_Result = state.withLock { state in
            // Asked with the state locked: what is suspended before is resumed by `abandon`.
            guard !core.isOver else { return .NO }
            switch state.stage {
            case .begun: return begin(method, &state)
            case .accepted(let request): return answer(request, &state)
            case .receiving(let upload):
                if count == 0 { commit(upload, &state) } else { return receive(bytes, upload, &state) }
                return .YES
            case .discarding(let answer):
                guard count > 0 else { return answer.queue(connection) }
                state.discarded += count
                return state.discarded <= Self.greatestWaste ? .YES : .NO
            case .ready(let answer): return answer.queue(connection)
            case .working: return .YES
            case .over: return .NO
            }
        }
        if count > 0 { rest = 0 }
        return result
    }

    // MARK: Header fields

    private func begin(_ method: String, _ state: inout State) -> MHD_Result {
        let fields = HubFields(of: connection)
        do {
            if core.isEnding { throw HubRefusal.ending }
            state.key = try core.access.key(of: connection, fields)
            let request = try HubRequest(method, target: target, fields)
            try core.access.check(state.key, request)
            core.places.set(connection, .busy)
            guard request.method == .put, let name = request.name else {
                state.stage = .accepted(request)
                return .YES
            }
            state.stage = .receiving(try core.storage.begin(request.group, name, size: request.bodySize))
            core.places.set(connection, request.bodySize > 0 ? .waitingForBody : .busy)
            return .YES
        } catch {
            return refuse(error, fields, &state)
        }
    }

    private func refuse(_ error: any Error, _ fields: HubFields, _ state: inout State) -> MHD_Result {
        var answer = HubAnswer(error as? HubRefusal ?? HubRefusal(500, "the hub fails"))
        let size = fields.lengths.first.flatMap { Int($0) } ?? 0
        answer.endsConnection = size > 0 || fields.isEncoded || core.isEnding
        // A client that waits before it sends the body, or has much to send, is answered before that.
        if fields.expectsContinue || fields.isEncoded || fields.lengths.count > 1 || size > Self.greatestWaste {
            return answer.queue(connection)
        }
        core.places.set(connection, size > 0 ? .waitingForBody : .busy)
        state.stage = .discarding(answer)
        return .YES
    }

    // MARK: Items that are received

    private func receive(_ bytes: UnsafeRawBufferPointer, _ upload: Upload, _ state: inout State) -> MHD_Result {
        do {
            try upload.append(bytes)
            core.places.set(connection, .waitingForBody)
            guard !core.isTooSlow(upload) else {
                core.storage.abandon(upload)
                state.stage = .over
                return .NO
            }
        } catch {
            core.storage.abandon(upload)
            var answer = HubAnswer(error as? HubRefusal ?? HubRefusal(500, "the hub fails"))
            answer.endsConnection = true
            state.stage = .discarding(answer)
        }
        return .YES
    }

    private func commit(_ upload: Upload, _ state: inout State) {
        suspend(&state) { [self] in
            finish(Self.outcome(201) { try core.storage.commit(upload) })
        }
    }

    private static func outcome(_ status: UInt32, _ body: () throws -> Void) -> HubAnswer {
        do {
            try body()
            return HubAnswer(status)
        } catch { return HubAnswer(error as? HubRefusal ?? HubRefusal(500, "the hub fails")) }
    }

    // MARK: Answers

    private func answer(_ request: HubRequest, _ state: inout State) -> MHD_Result {
        switch (request.method, request.name) {
        case (.delete, let name?):
            suspend(&state) { [self] in
                finish(Self.outcome(204) { try core.storage.remove(request.group, name) })
            }
            return .YES
        case (_, let name?):
            do {
                let file = try OpenFile(core.storage.path(request.group, name))
                return HubAnswer(file, range: request.range).queue(connection)
            } catch { return HubAnswer(error as? HubRefusal ?? .notFound).queue(connection) }
        case (_, nil):
            if request.method == .get, request.wait > 0, let cursor = request.cursor, !core.isEnding,
                !core.storage.hasNews(request.group, since: cursor)
            {
                wait(request, since: cursor, &state)
            } else {
                suspend(&state) { [self, key = state.key] in list(request, key) }
            }
            return .YES
        }
    }

    /// Waits for a change. One that came before the waiting began is noticed at once.
    private func wait(_ request: HubRequest, since cursor: HubCursor, _ state: inout State) {
        suspend(&state) { [self, key = state.key] in
            core.waiting.add(number, to: request.group, for: min(request.wait, core.longestWait)) { [self] in
                list(request, key)
            }
            if core.isEnding || core.storage.hasNews(request.group, since: cursor) { core.waiting.wake(number) }
        }
        core.watch.add(connection.socket, as: number) { [weak self] in
            guard let self else { return }
            core.waiting.remove(number)
            abandon()
        }
    }

    private func list(_ request: HubRequest, _ key: KeyPin?) {
        var answer: HubAnswer
        do {
            // Who was struck off while waiting learns nothing further.
            try core.access.check(key, request)
            answer = HubAnswer(core.storage.list(request.group, since: request.cursor))
        } catch { answer = HubAnswer(error as? HubRefusal ?? HubRefusal(500, "the hub fails")) }
        answer.endsConnection = core.isEnding
        finish(answer)
    }
}
