import CoreDataTransfer
import Foundation

/// Shows pictures one after the other, and begins again after the last one.
@MainActor final class Slideshow {
    /// How long a picture is shown, from the beginning of its fade on.
    static let time = Duration.seconds(15)
    /// How long a picture fades into the next one.
    static let fade = Duration.seconds(1)

    private let pictures: [URL]
    private let loader: PictureLoader
    private let sleep: @Sendable (Duration) async throws -> Void
    private let show: @MainActor (Picture, Duration) -> Void

    /// Makes a show.
    ///
    /// - Parameters:
    ///   - sleep: waits for a time.
    ///   - show: fades, in the time given, from what is shown to a picture.
    init(
        _ pictures: [URL], loader: PictureLoader = PictureLoader(),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        show: @escaping @MainActor (Picture, Duration) -> Void
    ) {
        (self.pictures, self.loader, self.sleep, self.show) = (pictures, loader, sleep, show)
    }

    /// Runs until the task is cancelled, for a number of rounds, or until no picture of the show can be loaded. A broken
    /// picture is skipped without a wait.
    ///
    /// - Throws: `CancellationError`.
    func run(rounds: Int = .max) async throws {
        for _ in 0..<rounds {
            var isShown = false
            for url in pictures {
                try Task.checkCancellation()
                guard let picture = try await picture(at: url) else { continue }
                show(picture, Self.fade)
                isShown = true
                try await sleep(Self.time)
            }
            guard isShown else { return }
        }
    }

    private func picture(at url: URL) async throws -> Picture? {
        do {
            return try await loader.picture(at: url)
        } catch let error as CancellationError {
            throw error
        } catch {
            return nil
        }
    }
}
