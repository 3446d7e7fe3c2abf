import Foundation
import Synchronization

/// A row of a list that is used again for other objects while it scrolls, and shows the picture of its present one.
///
///     func show(_ hero: Hero) {
///         imageView.image = nil
///         Task { if let picture = try? await row.picture(at: hero.url) { imageView.image = decode(picture.data) } }
///     }
///
/// Its functions belong on one actor, such as the main actor: then no picture of an earlier object comes after another was asked for.
public final class PictureRow: Sendable {
    private struct State {
        var number = 0
        var task: Task<Picture, any Error>?
    }

    private let loader: PictureLoader
    private let state = Mutex(State())

    init(_ loader: PictureLoader) { self.loader = loader }

    deinit { clear() }

    /// The picture of a URL, for which the row gives up the one that it waits for.
    ///
    /// - Throws: `CancellationError` if the row has asked for another picture since, or was cleared; else as
    ///   ``PictureLoader/picture(at:)``.
    public func picture(
        at url: URL, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Picture {
        let task = Task.detached { [loader] in try await loader.picture(at: url) }
        let number = replace(task)
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        // On the caller's actor, and with no wait between this and its return.
        guard state.withLock({ $0.number == number }) else { throw CancellationError() }
        return try result.get()
    }

    /// Gives up the picture that the row waits for.
    public func clear() { _ = replace(nil) }

    private func replace(_ task: Task<Picture, any Error>?) -> Int {
        let (number, earlier) = state.withLock { state in
            let earlier = state.task
            state.number += 1
            state.task = task
            return (state.number, earlier)
        }
        earlier?.cancel()
        return number
    }
}
