import Foundation

extension FileManager {
    /// A value that stands for the user's account, to be compared with an earlier one; nil while there is none (`SyncAccount`).
    public var ubiquityIdentityToken: (any NSCoding & NSCopying & NSObjectProtocol)? {
        SyncAccount.identifier.flatMap { NSUUID(uuidString: $0) }
    }

    /// The folder of a container in the account's folder, which is made where it is missing; nil while there is no account.
    ///
    /// - Parameter containerIdentifier: Such as `iCloud.com.example.App`; nil for the one that is named after the program.
    public func url(forUbiquityContainerIdentifier containerIdentifier: String?) -> URL? {
        guard SyncAccount.identifier != nil, let account = SyncAccount.folder else { return nil }
        let name = containerIdentifier ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        // As Apple's systems name it; a name that is no plain one cannot lead out of the folder.
        let plain = name.replacingOccurrences(of: ".", with: "~").replacingOccurrences(of: "/", with: "~")
        guard !plain.isEmpty, !plain.contains("\0") else { return nil }
        let folder = account.appendingPathComponent(plain, isDirectory: true)
        try? createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

extension NSNotification.Name {
    /// Posted after the user's account has changed, in the program in which it was changed; the object is nil.
    public static let NSUbiquityIdentityDidChange = NSNotification.Name("NSUbiquityIdentityDidChangeNotification")
}
