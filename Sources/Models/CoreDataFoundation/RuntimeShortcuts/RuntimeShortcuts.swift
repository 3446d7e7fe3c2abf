/// What relies on how the compiler, the runtime or Foundation lay something out in memory, and what saves time in other ways
/// that a reader would not expect. All of it is in the folders of this name.
///
/// Each shortcut has a plain path beside it that gives the same. It is taken where a look at the layout finds another one than
/// expected, and everywhere in a build with the trait `PlainLayouts`. See Docs/Decisions/0009-runtime-shortcuts.md.
@usableFromInline
package enum RuntimeShortcuts {
    #if PlainLayouts
        @inlinable package static var areTaken: Bool { false }
    #else
        @inlinable package static var areTaken: Bool { true }
    #endif

    /// What a class is known by in memory, for comparing only.
    @inlinable package static func address(of type: AnyClass) -> UnsafeRawPointer {
        // An identifier of a class is never zero.
        UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(type))).unsafelyUnwrapped
    }
}
