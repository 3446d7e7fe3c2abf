// swift-format-ignore-file: AvoidRetroactiveConformances

/// A value that stands as an argument of a format string by its description, as objects do on Apple's platforms.
///
/// There every value that Objective-C has an object for is a `CVarArg`, so `date as CVarArg` is what much code says. Here
/// `String(format:)` prints its description by `%@`; predicates take the value itself, with or without the cast.
/// Open-source Foundation cannot print all of its own objects by address, so a text is passed.
public protocol DescribedFormatValue: _CVarArgObject, CustomStringConvertible {}

extension DescribedFormatValue {
    /// The description as an object; the creator of a list of arguments keeps it until the list has been read.
    public var _cVarArgObject: any CVarArg { NSString(string: description) }

    /// The address of a text that is not kept; lists of arguments encode `_cVarArgObject` instead.
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension NSObject: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedFormatValue {
    /// The object's address, which Foundation can print of a string only: the description's is what it gets.
    public var _cVarArgEncoding: [Int] { [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())] }
}

extension Date: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedFormatValue {}
extension Data: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedFormatValue {}
extension URL: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedFormatValue {}
extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedFormatValue {}
extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedFormatValue {}
extension Array: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedFormatValue {}
extension Set: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedFormatValue {}
extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedFormatValue {}
