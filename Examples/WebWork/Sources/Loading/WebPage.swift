import Foundation

/// The page: it shows what was loaded last, and clears it after five seconds.
@MainActor final class WebPage {
    static let lifetime = Duration.seconds(5)

    private let loader: WebLoader
    private let sleep: @Sendable (Duration) async throws -> Void
    private var clearing: Task<Void, Never>?
    /// What the page shows; nil while it is clear.
    private(set) var content: WebContent?

    /// Makes a page; `sleep` waits for a time.
    init(
        loader: WebLoader = WebLoader(),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        (self.loader, self.sleep) = (loader, sleep)
    }

    /// Loads, shows what came, and clears it later. What is shown meanwhile has five seconds of its own.
    ///
    /// - Throws: `CancellationError`.
    func load(_ kind: Kind, at url: URL, _ way: Way) async throws {
        show(try await loader.load(kind, at: url, way))
    }

    /// Shows something in the place of what is there.
    func show(_ content: WebContent) {
        clearing?.cancel()
        self.content = content
        clearing = Task { [sleep, weak self] in
            guard (try? await sleep(Self.lifetime)) != nil, !Task.isCancelled else { return }
            self?.content = nil
        }
    }

    /// Waits until the page is clear.
    func waitUntilClear() async {
        while let clearing, content != nil { await clearing.value }
    }
}
