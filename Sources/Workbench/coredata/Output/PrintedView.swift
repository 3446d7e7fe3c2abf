import CoreDataBrowserServer
import CoreDataWorkbench
import Dispatch
import Synchronization

/// What a view of the browser answers to programs, printed piece by piece.
struct PrintedView {
    /// A path with its query; without a slash in front, one below the first store's.
    let address: String

    /// - Throws: `InspectionError` where the browser has no such view, or refuses; `OutputError`.
    func print(of browser: Browser, to output: StandardOutput) throws {
        let target = address.hasPrefix("/") ? address : "/stores/1/" + address
        do {
            let user = BrowserUser(name: NSUserName())
            let body = try Self.wait { try await browser.view(at: target, for: user) }
            while let piece = try Self.wait({ try await body.next() }) {
                piece.withUnsafeBytes(output.write)
                try output.check()
            }
        } catch let failure as BrowserFailure {
            throw InspectionError(.unreadable, subject: address, cause: failure.reason, hint: failure.hint)
        }
    }

    /// Waits on this thread for what an asynchronous call gives.
    private static func wait<Value: Sendable>(_ call: @escaping @Sendable () async throws -> Value) throws -> Value {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            let found: Result<Value, any Error>
            do { found = .success(try await call()) } catch { found = .failure(error) }
            result.withLock { $0 = found }
            isDone.signal()
        }
        isDone.wait()
        guard let found = result.withLock({ $0 }) else { throw CancellationError() }
        return try found.get()
    }
}
