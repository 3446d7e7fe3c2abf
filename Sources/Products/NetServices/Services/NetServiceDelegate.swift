import Foundation

/// What is notified of a service. All methods may be left out.
///
/// They are called where the service is scheduled: on the run loop of the thread that made it, unless the program says
/// otherwise.
public protocol NetServiceDelegate: AnyObject {
    /// Publishing begins.
    func netServiceWillPublish(_ sender: NetService)
    /// The service is announced; its `name` may have been changed. Called again when it is changed later.
    func netServiceDidPublish(_ sender: NetService)
    /// The service is not, or no longer, announced. `lastError` has the words.
    func netService(_ sender: NetService, didNotPublish errorDict: [String: NSNumber])
    /// Resolving begins.
    func netServiceWillResolve(_ sender: NetService)
    /// An address was found; called again for further addresses.
    func netServiceDidResolveAddress(_ sender: NetService)
    /// Nothing was found within the time. `lastError` has the words.
    func netService(_ sender: NetService, didNotResolve errorDict: [String: NSNumber])
    /// Publishing or resolving has ended: by `stop`, or by the time of a resolution that found something.
    func netServiceDidStop(_ sender: NetService)
    /// The TXT record of a monitored service is new.
    func netService(_ sender: NetService, didUpdateTXTRecord data: Data)
    /// A service that listens by itself has accepted a connection; its streams are not opened.
    func netService(
        _ sender: NetService, didAcceptConnectionWith inputStream: InputStream, outputStream: OutputStream)
}

extension NetServiceDelegate {
    /// Does nothing.
    public func netServiceWillPublish(_ sender: NetService) {}
    /// Does nothing.
    public func netServiceDidPublish(_ sender: NetService) {}
    /// Does nothing.
    public func netService(_ sender: NetService, didNotPublish errorDict: [String: NSNumber]) {}
    /// Does nothing.
    public func netServiceWillResolve(_ sender: NetService) {}
    /// Does nothing.
    public func netServiceDidResolveAddress(_ sender: NetService) {}
    /// Does nothing.
    public func netService(_ sender: NetService, didNotResolve errorDict: [String: NSNumber]) {}
    /// Does nothing.
    public func netServiceDidStop(_ sender: NetService) {}
    /// Does nothing.
    public func netService(_ sender: NetService, didUpdateTXTRecord data: Data) {}
    /// Closes the connection.
    public func netService(
        _ sender: NetService, didAcceptConnectionWith inputStream: InputStream, outputStream: OutputStream
    ) {
        inputStream.close()
        outputStream.close()
    }
}
