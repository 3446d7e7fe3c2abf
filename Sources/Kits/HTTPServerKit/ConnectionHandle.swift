import CMicroHTTPD

/// A connection of libmicrohttpd. Threads other than the daemon's may only resume it.
package struct ConnectionHandle: @unchecked Sendable {
    package let pointer: OpaquePointer

    package init(pointer: OpaquePointer) { self.pointer = pointer }

    /// Identifies the connection among the open ones.
    package var name: UInt { UInt(bitPattern: pointer) }

    /// Suspends the connection: the daemon leaves it alone until it is resumed. Only for callbacks of the connection.
    package func suspend() { MHD_suspend_connection(pointer) }

    /// Lets the daemon continue with a suspended connection.
    package func resume() { MHD_resume_connection(pointer) }

    /// A number that identifies the client's address; 0 if the address is not known.
    package var address: UInt32 { cmicrohttpd_address(pointer) }

    package var socket: Int32 { cmicrohttpd_socket(pointer) }
}
