// swift-format-ignore-file: AvoidRetroactiveConformances

/// The values of Foundation and of the standard library that stand as arguments of format strings on Apple's platforms.
///
/// There every value that Objective-C has an object for is a `CVarArg`, so `date as CVarArg` is what much code says. Here
/// `String(format:)` prints them by `%@`; predicates take them with or without the cast.
extension NSObject: @retroactive CVarArg {
    /// The object's address; for the functions that take lists of variable arguments.
    public var _cVarArgEncoding: [Int] { [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())] }
}

/// A value that an object of Foundation stands for in a list of arguments.
///
/// The object, rather than the value, is encoded: whoever makes the list keeps it until the list has been read.
public protocol ObjectFormatValue: _CVarArgObject {}

extension ObjectFormatValue {
    /// The address of an object that is not kept; lists of arguments encode `_cVarArgObject` instead.
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension Date: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectFormatValue {
    /// The `NSDate` of the same time.
    public var _cVarArgObject: any CVarArg { self as NSDate }
}

extension Data: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectFormatValue {
    /// The `NSData` of the same bytes.
    public var _cVarArgObject: any CVarArg { self as NSData }
}

extension URL: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectFormatValue {
    /// The `NSURL` of the same address.
    public var _cVarArgObject: any CVarArg { self as NSURL }
}

extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectFormatValue {
    /// The `NSUUID` of the same bytes.
    public var _cVarArgObject: any CVarArg { self as NSUUID }
}

extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectFormatValue {
    /// The `NSDecimalNumber` of the same value.
    public var _cVarArgObject: any CVarArg { self as NSDecimalNumber }
}

extension Array: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectFormatValue {
    /// The `NSArray` of the same elements.
    public var _cVarArgObject: any CVarArg { self as NSArray }
}

extension Set: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectFormatValue {
    /// The `NSSet` of the same elements.
    public var _cVarArgObject: any CVarArg { self as NSSet }
}

extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject, ObjectFormatValue {
    /// The `NSDictionary` of the same entries.
    public var _cVarArgObject: any CVarArg { self as NSDictionary }
}
