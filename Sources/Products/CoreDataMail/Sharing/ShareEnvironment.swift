import CoreDataGraph

/// What a sheet's own actions do it with; an action whose part is missing is not offered.
public struct ShareEnvironment: Sendable {
    /// Who sends mail.
    public var account: MailAccount?
    /// What sends text messages.
    public var gateway: (any MessageGateway)?
    /// The services to post to.
    public var services: [any ServiceAdapter]
    /// The folder into which files are saved.
    public var folder: URL?
    /// Copies items: what does it is the program's, or the page's.
    public var copy: (@Sendable ([SharedItem]) throws -> Void)?
    /// Prints items.
    public var print: (@Sendable ([SharedItem]) throws -> Void)?
    /// Whether pictures keep where, when and with what they were taken; otherwise that is removed, see ``PictureOrigin``.
    public var keepsPictureOrigin = false
    /// Where ends are reported.
    public var queue = DispatchQueue.main

    /// What the process has: its account, gateway and services; no folder, no copying and no printing.
    public init(
        account: MailAccount? = .current, gateway: (any MessageGateway)? = MFMessageComposeViewController.gateway,
        services: [any ServiceAdapter] = ServiceAdapters.all, folder: URL? = nil
    ) {
        (self.account, self.gateway, self.services, self.folder) = (account, gateway, services, folder)
    }
}
