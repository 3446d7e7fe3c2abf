/// What keyed archives keep under Apple's class names: predicates, expressions and sort descriptors.
///
/// Open-source Foundation's predicates and sort descriptors cannot be archived at all. With this protocol they can, by
/// `NSKeyedArchiver.archivedData(withRootObject:requiringSecureCoding:)` and as parts of other objects.
/// A protocol extension is needed because a class of another module can be given a required initializer in no other way.
public protocol NamedArchiving {}

extension NSPredicate: NamedArchiving {}
extension NSSortDescriptor: NamedArchiving {}
extension NSExpression: NamedArchiving {}

// Applications expect the conformance that Foundation itself has on Apple's platforms; it can only be declared here.
// swift-format-ignore: AvoidRetroactiveConformances
extension NSPredicate: @retroactive NSSecureCoding {}
// swift-format-ignore: AvoidRetroactiveConformances
extension NSSortDescriptor: @retroactive NSSecureCoding {}
extension NSExpression: NSSecureCoding {}

extension NamedArchiving where Self: NSObject {
    /// Always: archives of these classes name no code.
    public static var supportsSecureCoding: Bool { true }

    /// The object within another object's archive; nil for bytes that are refused.
    ///
    /// The bytes are read within bounds on depth and size, and functions only from the predefined list.
    public init?(coder: NSCoder) {
        let bytes = coder.withDecodedUnsafeBufferPointer(forKey: PartArchive.bytesKey) { $0.map { Data($0) } }
        guard let bytes, let part = try? PartArchive.part(Self.self, in: bytes), let same = part as? Self else {
            return nil
        }
        self = same
    }

    /// Writes the object as a part of another object's archive; stops the process for a block in Swift.
    ///
    /// Foundation's archiver writes no class names but its own, so the part is kept as an archive in the archive, in
    /// which Apple's names stand.
    public func encode(with coder: NSCoder) {
        let data = orStop { try PartArchive.data(of: self) }
        data.withUnsafeBytes { bytes in
            coder.encodeBytes(
                bytes.bindMemory(to: UInt8.self).baseAddress, length: bytes.count, forKey: PartArchive.bytesKey)
        }
    }

    /// Does nothing: a decoded predicate holds no code, so it may always be evaluated.
    ///
    /// Apple's framework refuses to evaluate a securely decoded one before this call.
    public func allowEvaluation() {}
}
