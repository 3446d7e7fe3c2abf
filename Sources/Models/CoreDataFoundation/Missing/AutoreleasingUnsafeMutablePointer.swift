/// A pointer to the value that a validator checks and may replace, as in `validateValue(_:forKey:)`.
public struct AutoreleasingUnsafeMutablePointer<Pointee> {
    private let pointer: UnsafeMutablePointer<Pointee>

    /// A pointer to memory that must outlive it.
    public init(_ pointer: UnsafeMutablePointer<Pointee>) {
        self.pointer = pointer
    }

    /// The value itself.
    public var pointee: Pointee {
        get { pointer.pointee }
        nonmutating set { pointer.pointee = newValue }
    }
}
