import Synchronization

/// Waits for changes of a group, in requests that the hub answers when something has changed.
final class HubWatcher: Sendable {
    /// The pauses before the next request: after changes, after an answer without any that came too soon, and after a failure at most.
    private static let (least, usual, greatest) = (Duration.milliseconds(20), Duration.seconds(1), Duration.seconds(60))

    private let task = Mutex<Task<Void, Never>?>(nil)

    deinit { task.withLock { $0?.cancel() } }

    /// Waits from now on, in the place of the former waiting; nil ends it.
    func watch(_ client: HubClient, since cursor: HubCursor?, _ changed: (@Sendable () -> Void)?) {
        let new = changed.map { changed in Task { await Self.run(client, since: cursor, changed) } }
        task.withLock { task in
            task?.cancel()
            task = new
        }
    }

    /// A hub that could not be reached may have changed: its first list is a whole one, since its run is another.
    private static func run(_ client: HubClient, since first: HubCursor?, _ changed: @Sendable () -> Void) async {
        var cursor = first
        var pause = usual
        while !Task.isCancelled {
            let start = ContinuousClock.now
            do {
                let list = try await client.nextList(since: cursor)
                guard !Task.isCancelled else { return }
                cursor = list.cursor
                pause = usual
                if list.isWhole || !list.isEmpty {
                    changed()
                    try await Task.sleep(for: least)
                } else if start.duration(to: .now) < usual {
                    try await Task.sleep(for: usual)
                }
            } catch is CancellationError {
                return
            } catch {
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, greatest)
            }
        }
    }
}
