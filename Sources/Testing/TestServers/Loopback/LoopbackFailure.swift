/// Why a program on this machine gave no answer, or not all of one.
package struct LoopbackFailure: Error, CustomStringConvertible {
    package let description: String
}
