import Foundation
import LockKit

/// A row of a list that is used again for other objects while it scrolls, and shows the picture of its present one.
///
///     func show(_ hero: Hero) {
///         let request = row.request(hero.url)
///         imageView.image = nil
///         Task { if let picture = try? await request.picture() { imageView.image = decode(picture.data) } }
///     }
///
/// Where requests are made and awaited on one actor, such as the main actor, no picture of an earlier request comes after a later
/// one was made.
public final class PictureRow: Sendable {
    private struct State {
        var number = 0
        var task: Task<Picture, any Error>?
    }

    private let loader: PictureLoader
    private let state = Locked(State())

    init(_ loader: PictureLoader) { self.loader = loader }

    deinit { clear() }

    /// Begins to load a picture, and gives up the one that the row waits for.
    public func request(_ url: URL) -> PictureRequest {
        let task = Task.detached { [loader] in try await loader.picture(at: url) }
        return PictureRequest(row: self, number: replace(task), task: task)
    }

    /// Gives up the picture that the row waits for.
    public func clear() { _ = replace(nil) }

    /// Whether a request is the last one.
    func isPresent(_ number: Int) -> Bool { state.withLock { $0.number == number } }

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

/// A picture that a row waits for.
public struct PictureRequest: Sendable {
    fileprivate let row: PictureRow
    fileprivate let number: Int
    fileprivate let task: Task<Picture, any Error>

    /// The picture.
    ///
    /// - Throws: `CancellationError` if the row has made another request since, or was cleared; else as
    ///   ``PictureLoader/picture(at:)``.
    public func picture(isolation: isolated (any Actor)? = #isolation) async throws -> Picture {
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        // On the caller's actor, and with no wait between this and its return.
        guard row.isPresent(number) else { throw CancellationError() }
        return try result.get()
    }
}
