/// A value as objects and default values hold it: numbers and dates in place, all else as it was given.
package enum HeldValue {
    case null
    case integer(Int64)
    case real(Double)
    case reference(Any)
}
