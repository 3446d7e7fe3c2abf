import CoreData

/// An extended attribute of a file, by the functions of the system's C library, which Swift's module of it lacks.
struct ExtendedAttribute {
    private typealias Set =
        @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer?, Int, Int32) -> Int32
    private typealias Get =
        @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
    private typealias Remove = @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32

    let name: String

    /// Whether a file has the attribute.
    func isSet(_ path: String) -> Bool {
        guard let function: Get = Self.function("getxattr") else { return false }
        return function(path, name, nil, 0) >= 0
    }

    /// Sets the attribute; returns 0, or the number of the error.
    func set(_ value: Data, _ path: String) -> Int32 {
        guard let function: Set = Self.function("setxattr") else { return ENOSYS }
        return value.withUnsafeBytes { function(path, name, $0.baseAddress, $0.count, 0) } == 0 ? 0 : errno
    }

    /// Removes the attribute, if it is there; returns 0, or the number of the error.
    func remove(_ path: String) -> Int32 {
        guard let function: Remove = Self.function("removexattr") else { return ENOSYS }
        return function(path, name) == 0 || errno == ENODATA ? 0 : errno
    }

    private static func function<Function>(_ name: String) -> Function? {
        // `Function` is the type of the function of this name (setxattr(2), getxattr(2), removexattr(2)).
        dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
    }
}
