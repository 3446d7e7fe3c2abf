import CMicroHTTPD
import CoreDataBrowser

/// The functions that the daemon calls; none belongs to an actor, since the daemon has a thread of its own.
enum ServerCallbacks {
    /// Makes the exchange of a request whose first line has come.
    nonisolated static let begin:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>, OpaquePointer)
            -> UnsafeMutableRawPointer? = { context, target, connection in
                guard let context else { return nil }
                let server = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
                let exchange = server.begin(
                    target: String(validatingCString: target), ConnectionHandle(pointer: connection))
                return Unmanaged.passRetained(exchange).toOpaque()
            }

    /// Takes the next part of a request.
    nonisolated static let receive: MHD_AccessHandlerCallback = { _, _, _, method, _, data, size, state in
        guard let method, let size, let exchange = state?.pointee else { return .NO }
        let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size.pointee)
        return Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue()
            .receive(method: String(cString: method), bytes, rest: &size.pointee)
    }

    /// Ends the exchange of a request, whatever became of it.
    nonisolated static let complete: MHD_RequestCompletedCallback = { context, _, state, _ in
        guard let context, let pointer = state?.pointee else { return }
        state?.pointee = nil
        let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
        Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().end(exchange)
    }
}
