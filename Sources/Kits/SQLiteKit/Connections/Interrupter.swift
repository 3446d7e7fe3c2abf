import CSQLite
import Synchronization

/// Interrupts the running statements of one connection; safe from any thread, also after the connection is closed.
package final class Interrupter: Sendable {
    /// The address of the handle; 0 once the connection is closed.
    private let address: Mutex<UInt>

    init(_ handle: OpaquePointer) {
        address = Mutex(UInt(bitPattern: handle))
    }

    /// Makes every running statement of the connection fail with `interrupted`.
    package func interrupt() {
        address.withLock { address in
            guard let handle = OpaquePointer(bitPattern: address) else { return }
            sqlite3_interrupt(handle)
        }
    }

    func detach() { address.withLock { $0 = 0 } }
}

extension Connection {
    /// Makes the running statements fail with `interrupted`; may be called from any thread.
    package var interruption: @Sendable () -> Void {
        let interrupter = interrupter
        return { interrupter.interrupt() }
    }
}
