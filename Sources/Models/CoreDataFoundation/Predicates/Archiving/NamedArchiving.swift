/// A class whose objects keyed archives contain under Apple's class names: predicates, expressions and sort
/// descriptors.
///
/// Open-source Foundation cannot archive its predicates and sort descriptors. With this protocol
/// `NSKeyedArchiver.archivedData(withRootObject:requiringSecureCoding:)` archives them, also as parts of other objects.
/// A protocol extension is needed: only that can add a required initializer to a class of another module.
public protocol NamedArchiving {}

extension NSPredicate: NamedArchiving {}
extension NSSortDescriptor: NamedArchiving {}
extension NSExpression: NamedArchiving {}

// Applications expect the conformance that Foundation has on Apple's platforms, so it is declared here.
// swift-format-ignore: AvoidRetroactiveConformances
extension NSPredicate: @retroactive NSSecureCoding {}
// swift-format-ignore: AvoidRetroactiveConformances
extension NSSortDescriptor: @retroactive NSSecureCoding {}
extension NSExpression: NSSecureCoding {}

extension NamedArchiving where Self: NSObject {
    /// True: archives of these classes do not name code.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes the object from the archive of another object; returns nil for bytes that are refused.
    ///
    /// Depth and size are bounded, and only predefined functions are accepted.
    public init?(coder: NSCoder) {
        let bytes = coder.withDecodedUnsafeBufferPointer(forKey: PartArchive.bytesKey) { $0.map { Data($0) } }
        guard let bytes, let part = try? PartArchive.part(Self.self, in: bytes), let same = part as? Self else {
            return nil
        }
        self = same
    }

    /// Encodes the object as a part of another object's archive; stops the process if the object cannot be archived.
    ///
    /// Foundation's archiver can write only Foundation's class names, so the object is encoded as data: an archive of
    /// its own with Apple's class names.
    public func encode(with coder: NSCoder) {
        let data = orStop { try PartArchive.data(of: self) }
        data.withUnsafeBytes { bytes in
            coder.encodeBytes(
                bytes.bindMemory(to: UInt8.self).baseAddress, length: bytes.count, forKey: PartArchive.bytesKey)
        }
    }

    /// Does nothing: a decoded predicate contains no code, so it may always be evaluated.
    ///
    /// In Apple's framework, a securely decoded predicate cannot be evaluated before this call.
    public func allowEvaluation() {}
}
