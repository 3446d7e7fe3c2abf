/// An error of a connection to a program on this machine: no response, or an incomplete one.
package struct LoopbackFailure: Error, CustomStringConvertible {
    package let description: String
}
