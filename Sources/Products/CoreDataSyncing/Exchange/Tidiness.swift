/// How much an exchange tidies.
enum Tidiness {
    /// Where there is much to tidy.
    case usual
    /// All that can be.
    case thorough
}
