import CoreData

/// A temporary reason why a store cannot answer, although the request and the store are valid.
enum StoreTrouble {
    /// Another program has locked the store.
    case locked
    /// The disk is full.
    case full

    /// The trouble that an error or one of its underlying errors reports; nil for other errors.
    init?(_ error: any Error) {
        var next: NSError? = error as NSError
        // Chains of underlying errors are short; the limit ends a chain that is a cycle.
        for _ in 0..<8 {
            guard let error = next else { break }
            if let found = Self.kind(error) {
                self = found
                return
            }
            next = error.userInfo[NSUnderlyingErrorKey] as? NSError
        }
        return nil
    }

    private static func kind(_ error: NSError) -> StoreTrouble? {
        let isSQLite = error.domain == NSSQLiteErrorDomain
        let code = isSQLite ? error.code : (error.userInfo[NSSQLiteErrorDomain] as? NSNumber)?.intValue
        // Extended codes have the primary one in their lowest byte.
        switch code.map({ $0 & 0xFF }) {
        case 5, 6: return .locked
        case 13: return .full
        default: break
        }
        switch (error.domain, error.code) {
        case (NSCocoaErrorDomain, CocoaError.Code.fileWriteOutOfSpace.rawValue), (NSPOSIXErrorDomain, Int(ENOSPC)):
            return .full
        default: return nil
        }
    }

    var status: Int {
        switch self {
        case .locked: 423
        case .full: 507
        }
    }

    var code: String {
        switch self {
        case .locked: "locked"
        case .full: "diskFull"
        }
    }

    /// Replaces the error's own text, which repeats itself.
    var reason: String {
        switch self {
        case .locked: "another program is using the store"
        case .full: "there is no room left on the disk"
        }
    }

    var hint: String {
        switch self {
        case .locked: "try again when it is done; unsaved changes are kept"
        case .full: "make room on the disk, then try again; unsaved changes are kept"
        }
    }
}
