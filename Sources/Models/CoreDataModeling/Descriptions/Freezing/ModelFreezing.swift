import CoreDataFoundation

/// Stops the process because a frozen description was changed.
///
/// Apple's framework raises an exception ("Can't modify an immutable model."); continuing would be a data race with
/// threads that read the model.
func stopModifyingFrozenModel(_ what: String) -> Never {
    stop("Can't modify an immutable model: \(what) was changed after the model had been used. Change a copy.")
}
