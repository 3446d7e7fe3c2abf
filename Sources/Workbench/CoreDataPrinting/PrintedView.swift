import CoreDataBrowserServer
import CoreDataWorkbench
import Dispatch
import Synchronization

/// Prints the JSON of a view of the browser, piece by piece.
package struct PrintedView {
    /// A path with its query; without a leading slash it is relative to the first store's.
    let address: String

    package init(address: String) {
        self.address = address
    }

    /// - Throws: `InspectionError` if the browser does not have such a view, or refuses it; `OutputError`.
    package func print(of browser: Browser, to output: StandardOutput) throws {
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

    /// Blocks this thread until an asynchronous call returns; gives its result.
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
