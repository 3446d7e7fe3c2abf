import CoreDataStore
import Synchronization

/// The streams of a list's observers. May be used from any thread.
final class ResultsStreams<Element: Sendable>: Sendable {
    private let open = Mutex<(next: Int, streams: [Int: AsyncStream<Element>.Continuation])>((0, [:]))

    var isEmpty: Bool { open.withLock { $0.streams.isEmpty } }

    /// A stream of later elements, with `first` as its first element unless that is nil.
    func stream(
        startingWith first: Element?, _ policy: AsyncStream<Element>.Continuation.BufferingPolicy
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
        let number = open.withLock { open in
            open.next += 1
            open.streams[open.next] = continuation
            return open.next
        }
        continuation.onTermination = { [weak self] _ in self?.end(number) }
        if let first { continuation.yield(first) }
        return stream
    }

    private func end(_ number: Int) { _ = open.withLock { $0.streams.removeValue(forKey: number) } }

    func yield(_ element: Element) {
        for continuation in open.withLock({ Array($0.streams.values) }) { continuation.yield(element) }
    }

    /// Ends all streams.
    func finish() {
        for continuation in open.withLock({ Array($0.streams.values) }) { continuation.finish() }
    }
}
