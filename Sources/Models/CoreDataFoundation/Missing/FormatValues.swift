// swift-format-ignore-file: AvoidRetroactiveConformances

/// A value that may be an argument of a format string, for which `%@` prints its description, as on Apple's platforms.
///
/// There every value that bridges to an Objective-C object is a `CVarArg`, and much code says `date as CVarArg`. Here
/// `String(format:)` receives the description, since open-source Foundation cannot print all of its own objects by
/// address; predicates use the value itself, with or without the cast.
public protocol DescribedFormatValue: _CVarArgObject, CustomStringConvertible {}

extension DescribedFormatValue {
    /// The description as an object; the creator of a list of arguments keeps it until the list has been read.
    public var _cVarArgObject: any CVarArg { NSString(string: description) }

    /// The address of a description that is not retained; lists of arguments encode `_cVarArgObject` instead.
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension NSObject: @retroactive CVarArg, @retroactive _CVarArgObject, DescribedFormatValue {
    /// The object's address. Foundation can print only a string by address, so lists of arguments encode
    /// `_cVarArgObject`.
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
