"""The compliant hexapod: a rigid body on six sprung, hip-driven legs."""
