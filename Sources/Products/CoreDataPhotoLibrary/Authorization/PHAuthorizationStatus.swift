/// Whether a program may use a photo library.
public enum PHAuthorizationStatus: Int, Sendable, Hashable {
    /// The person was not asked yet.
    case notDetermined
    /// The system does not allow it, and asking would not help.
    case restricted
    /// It was refused.
    case denied
    /// It is allowed.
    case authorized
    /// A part of the library may be used; none of this library's own authorizers answers it.
    case limited
}

/// What a program wants with a photo library.
public enum PHAccessLevel: Int, Sendable, Hashable {
    /// To add to it.
    case addOnly = 1
    /// To read and change it.
    case readWrite
}

/// Who decides whether a program may use a photo library.
public protocol PhotoLibraryAuthorizer: Sendable {
    /// What was decided.
    func status(for level: PHAccessLevel) -> PHAuthorizationStatus
    /// Asks, unless it was decided.
    func request(_ level: PHAccessLevel) async -> PHAuthorizationStatus
}

/// Allows what the file system allows, as it is usual for programs here.
public struct FileSystemAuthorizer: PhotoLibraryAuthorizer {
    /// Makes the authorizer.
    public init() {}
    /// Always `authorized`.
    public func status(for level: PHAccessLevel) -> PHAuthorizationStatus { .authorized }
    /// Always `authorized`.
    public func request(_ level: PHAccessLevel) async -> PHAuthorizationStatus { .authorized }
}
