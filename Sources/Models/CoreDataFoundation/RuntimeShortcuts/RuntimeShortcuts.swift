/// Code that relies on the memory layout of the compiler, the runtime or Foundation, and other unexpected ways to save
/// time. All such code is in the folders of this name.
///
/// Each shortcut has a fallback with the same result. The fallback runs if a check finds a layout other than the
/// expected one, and always in a build with the trait `PlainLayouts`. See Docs/Decisions/0009-runtime-shortcuts.md.
@usableFromInline
package enum RuntimeShortcuts {
    #if PlainLayouts
        @inlinable package static var areTaken: Bool { false }
    #else
        @inlinable package static var areTaken: Bool { true }
    #endif

    /// The address of a class's metadata.
    @inlinable package static func address(of type: AnyClass) -> UnsafeRawPointer {
        // The identifier of a class is never zero.
        UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(type))).unsafelyUnwrapped
    }
}
