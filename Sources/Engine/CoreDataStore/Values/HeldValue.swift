/// A value in the form in which objects and default values store it: numbers and dates unboxed, other values unchanged.
package enum HeldValue {
    case null
    case integer(Int64)
    case real(Double)
    case reference(Any)
}
